import { SearchOutlined } from '@ant-design/icons';
import { Input } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { useUrlState } from '../../../shared/url-state';

interface Props {
  /** Name of the parameter in the URL. */
  name: string;
  label: string;
  maxLength: number;
}

/** Debounce time; longer than the pause between two keystrokes. */
const DEBOUNCE_MS = 300;

/** A text filter. It is written to the URL, and so applied, after a pause in typing or on Enter. */
export function TextFilter({ name, label, maxLength }: Props) {
  const url = useUrlState();
  const applied = url.text(name) ?? '';
  const [typed, setTyped] = useState(applied);
  const [shown, setShown] = useState(applied);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  if (shown !== applied) {
    setShown(applied);
    // Keeps the text as typed, including a trailing space, unless the URL was changed elsewhere.
    if (applied !== typed.trim()) setTyped(applied);
  }
  const apply = (text: string): void => {
    clearTimeout(timer.current);
    url.set({ [name]: text.trim(), page: null, cursor: null });
  };
  return (
    <Input
      className="filter filter-text"
      prefix={<SearchOutlined aria-hidden />}
      aria-label={label}
      placeholder={label}
      type="search"
      maxLength={maxLength}
      value={typed}
      onChange={({ target }) => {
        setTyped(target.value);
        clearTimeout(timer.current);
        timer.current = setTimeout(() => apply(target.value), DEBOUNCE_MS);
      }}
      onPressEnter={() => apply(typed)}
    />
  );
}
