import { EmojiPicker as Picker, type EmojiPickerListComponents } from 'frimousse';
import { type ComponentProps, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useLanguage } from '../../../shared/i18n/i18n';
import { resolveEmojiData } from './emoji-data';
import './emoji-picker.css';

/** Columns of the grid: 2.25 rem each. */
const COLUMNS = 8;

type PropsOf<Part extends keyof EmojiPickerListComponents> = ComponentProps<EmojiPickerListComponents[Part]>;

function CategoryHeader({ category, ...props }: PropsOf<'CategoryHeader'>) {
  return (
    <div {...props} className="emoji-category">
      {category.label}
    </div>
  );
}

/* The library counts rows and columns from 0, ARIA from 1. */

function Row({ 'aria-rowindex': index = 0, ...props }: PropsOf<'Row'>) {
  return <div {...props} aria-rowindex={index + 1} />;
}

function Emoji({ emoji, 'aria-colindex': index = 0, ...props }: PropsOf<'Emoji'>) {
  return (
    <button {...props} {...{ 'aria-colindex': index + 1 }} type="button" className="emoji">
      {emoji.emoji}
    </button>
  );
}

const COMPONENTS = { CategoryHeader, Row, Emoji };

/** Emoji in groups with a search, in the language of the page and in English. The search has the focus. */
export function EmojiPicker({ onChoose }: { onChoose: (emoji: string) => void }) {
  const { t } = useTranslation(['client', 'shared']);
  const locale = useLanguage() === 'en' ? 'en' : 'zh';
  const search = useRef<HTMLInputElement>(null);
  useEffect(() => search.current?.focus(), []);
  return (
    <Picker.Root
      className="emoji-picker"
      locale={locale}
      columns={COLUMNS}
      resolveEmojiData={resolveEmojiData}
      onEmojiSelect={({ emoji }) => onChoose(emoji)}
    >
      <Picker.Search
        ref={search}
        aria-label={t('client:chat.emoji.search')}
        placeholder={t('client:chat.emoji.search')}
      />
      <Picker.Viewport className="emoji-viewport" tabIndex={0}>
        <Picker.Loading>{t('shared:starting')}</Picker.Loading>
        <Picker.Empty>{t('client:chat.emoji.none')}</Picker.Empty>
        <Picker.List components={COMPONENTS} />
      </Picker.Viewport>
    </Picker.Root>
  );
}
