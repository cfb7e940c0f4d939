import { Input, type InputRef } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { callboard } from '../../../shared/callboard';
import { useLanguage } from '../../../shared/i18n/i18n';
import { isComposing } from '../../../shared/is-composing';
import { useToastMutation } from '../../parts/use-toast-mutation';
import type { Group } from '../model/group-tree';
import { GROUP_QUERIES } from '../use-group-tree';

interface Props {
  group: Group;
  /** Called when editing has ended, with or without a new name. */
  onEnd: () => void;
}

/**
 * Edits the name of a group in place. Enter saves and Escape cancels; errors of the service are shown below the field.
 */
export function RenameField({ group, onEnd }: Props) {
  const { t } = useTranslation('panel');
  const language = useLanguage();
  const [name, setName] = useState(group.name);
  const [errorText, setErrorText] = useState<string>();
  const field = useRef<InputRef>(null);
  const saving = useToastMutation(
    () => callboard.deviceGroups.change({ path: { id: group.id }, body: { name: name.trim() } }),
    {
      changes: GROUP_QUERIES,
      onError: (error) => {
        if (error.code === 422) setErrorText(error.text(language));
        return error.code === 422;
      },
    },
  );
  useEffect(() => field.current?.focus({ cursor: 'all' }), []);
  const save = async (): Promise<void> => {
    if (name.trim() === group.name || (await saving.run())) onEnd();
    else field.current?.focus();
  };
  const errorId = `rename-${group.id}-refusal`;
  return (
    <div className="tree-rename">
      <Input
        ref={field}
        size="small"
        value={name}
        aria-label={t('groups.nameOf', { name: group.name })}
        aria-invalid={errorText !== undefined}
        aria-describedby={errorText === undefined ? undefined : errorId}
        status={errorText === undefined ? undefined : 'error'}
        onChange={({ target }) => {
          setName(target.value);
          setErrorText(undefined);
        }}
        onKeyDown={(event) => {
          event.stopPropagation();
          // Input methods use Enter to confirm a composition, and Escape to cancel it.
          if (isComposing(event)) return;
          if (event.key === 'Escape') onEnd();
          if (event.key === 'Enter') void save();
        }}
        onBlur={() => {
          if (name.trim() === group.name) onEnd();
        }}
      />
      {errorText !== undefined && (
        <div id={errorId} role="alert" className="tree-refusal">
          {errorText}
        </div>
      )}
    </div>
  );
}
