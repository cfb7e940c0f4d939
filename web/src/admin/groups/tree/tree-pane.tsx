import {
  ExportOutlined,
  MinusSquareOutlined,
  PlusSquareOutlined,
  QuestionCircleOutlined,
  SearchOutlined,
  UndoOutlined,
} from '@ant-design/icons';
import { Button, type ButtonProps, Empty, Flex, Input, Popover, Typography } from 'antd';
import { useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useDebounced } from '../../../shared/use-debounced';
import { useUrlState } from '../../../shared/url-state';
import { searchGroupTree } from '../model/search';
import { GroupTreeView, type TreeProps } from './group-tree-view';
import { useExpanded } from './use-expanded';
import { useTreeInstance } from './use-tree-instance';

const DEBOUNCE_MS = 100;
const KEYS = ['walk', 'open', 'select', 'drag', 'move', 'rename', 'remove', 'undo', 'menu'] as const;

interface Props extends TreeProps {
  /** Undefined if there is nothing to undo. */
  undo: (() => void) | undefined;
}

/** The tree with its search field and the actions on selected groups. */
export function TreePane({ tree, currentId, onMoveTo, undo, announce, ...props }: Props) {
  const { t } = useTranslation('panel');
  const url = useUrlState();
  const [typed, setTyped] = useState(url.text('q') ?? '');
  const keyword = useDebounced(typed.trim(), DEBOUNCE_MS);
  const found = useMemo(() => (keyword === '' ? undefined : searchGroupTree(tree, keyword)), [keyword, tree]);
  const shown = found?.tree ?? tree;
  const expanded = useExpanded(shown, found);
  const { instance, focus } = useTreeInstance(shown, {
    label: t('screens.groups'),
    expanded: expanded.ids,
    setExpanded: expanded.set,
  });

  const { set: setUrl } = url;
  useEffect(() => {
    if ((url.text('q') ?? '') !== keyword) setUrl({ q: keyword });
  }, [keyword, setUrl, url]);
  const matches = found?.matches;
  useEffect(() => {
    if (matches !== undefined) announce(t('groups.found', { count: matches }));
  }, [announce, matches, t]);

  // Reveals the group of the details in the tree as soon as both exist.
  const isThere = currentId !== undefined && tree.groups.has(currentId);
  const { reveal } = expanded;
  useEffect(() => {
    if (!isThere) return;
    reveal(currentId);
    instance.setSelectedItems([String(currentId)]);
    instance.getItemInstance(String(currentId)).setFocused();
    focus.want();
    // oxlint-disable-next-line react/exhaustive-deps -- later changes of the tree must not scroll
  }, [currentId, isThere, instance]);

  const selected = instance.getState().selectedItems.map(Number);
  return (
    <section aria-label={t('screens.groups')}>
      <Flex vertical gap="small">
        <Input
          className="tree-search"
          allowClear
          prefix={<SearchOutlined aria-hidden />}
          value={typed}
          aria-label={t('groups.search')}
          placeholder={t('groups.search')}
          onChange={({ target }) => setTyped(target.value)}
        />
        <Flex gap="small" wrap align="center">
          <Tool
            icon={<PlusSquareOutlined aria-hidden />}
            label={t('groups.expandAll')}
            onClick={expanded.expandAll}
          />
          <Tool
            icon={<MinusSquareOutlined aria-hidden />}
            label={t('groups.collapseAll')}
            onClick={expanded.collapseAll}
          />
          <Tool
            icon={<ExportOutlined aria-hidden />}
            label={t('groups.moveTo')}
            disabled={selected.length === 0}
            onClick={() => onMoveTo(selected)}
          />
          <Tool
            icon={<UndoOutlined aria-hidden />}
            label={t('groups.undo')}
            disabled={undo === undefined}
            onClick={undo}
          />
          <Popover trigger="click" title={t('groups.keys.title')} content={<Keys />}>
            <Tool icon={<QuestionCircleOutlined aria-hidden />} label={t('groups.keys.title')} />
          </Popover>
        </Flex>
        {instance.getItems().length === 0 ? (
          <Empty
            className="tree-box tree-empty"
            description={t(found === undefined ? 'groups.none' : 'parts.noneFound')}
          />
        ) : (
          <GroupTreeView
            {...props}
            instance={instance}
            focus={focus}
            tree={shown}
            expanded={expanded}
            currentId={currentId}
            keyword={keyword}
            announce={announce}
            onMoveTo={onMoveTo}
            onUndo={() => undo?.()}
          />
        )}
        <Typography.Text type="secondary">
          {selected.length > 1
            ? t('groups.selected', { count: selected.length })
            : t('groups.total', { count: tree.groups.size })}
        </Typography.Text>
        <p id="tree-keys" className="for-screen-readers">
          {t('groups.keys.drag')}
        </p>
      </Flex>
    </section>
  );
}

interface ToolProps extends Omit<ButtonProps, 'title' | 'aria-label' | 'children'> {
  label: string;
}

/** A button of the tool bar: an icon, whose label is shown as a tooltip. */
const Tool = ({ label, ...button }: ToolProps) => <Button {...button} aria-label={label} title={label} />;

function Keys() {
  const { t } = useTranslation('panel');
  return (
    <ul className="tree-keys">
      {KEYS.map((key) => (
        <li key={key}>{t(`groups.keys.${key}`)}</li>
      ))}
    </ul>
  );
}
