import { useId } from 'react';

interface Props {
  label: string;
  hint?: string;
  isOn: boolean;
  onChange: (on: boolean) => void;
}

/** A labelled switch. */
export function Toggle({ label, hint, isOn, onChange }: Props) {
  const id = useId();
  return (
    <div className="toggle">
      <input
        id={id}
        type="checkbox"
        checked={isOn}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onChange={({ target }) => onChange(target.checked)}
      />
      <label htmlFor={id}>{label}</label>
      {hint !== undefined && (
        <p id={`${id}-hint`} className="soft">
          {hint}
        </p>
      )}
    </div>
  );
}
