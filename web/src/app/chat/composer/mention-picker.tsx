import { useTranslation } from 'react-i18next';
import type { MentionPickerState } from './use-mention-picker';

/** List of members to mention. The focus stays in the text box, whose arrow keys move the selection. */
export function MentionPicker({ picker: { id, options, active, choose } }: { picker: MentionPickerState }) {
  const { t } = useTranslation('client');
  if (options.length === 0) return null;
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a select takes the focus from the text box
    <div id={id} role="listbox" aria-label={t('chat.mention')} className="mention-picker">
      {options.map((option, index) => (
        <div
          key={option.id ?? 'all'}
          id={`${id}-${index}`}
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- as above
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          // The text box keeps the focus.
          onPointerDown={(event) => {
            event.preventDefault();
            choose(option);
          }}
        >
          {option.name}
        </div>
      ))}
    </div>
  );
}
