import { SearchOutlined } from '@ant-design/icons';
import { Input } from 'antd';
import { useEffect, useRef, useState } from 'react';
import { useUrlState } from '../../../shared/url-state';

interface Props {
  /** What it is called in the address. */
  name: string;
  label: string;
  maxLength: number;
}

/** Longer than between two keys of somebody who types. */
const SETTLED_MS = 300;

/** A filter that is typed. It is in the address, and so asked for, once it has stayed the same for a moment, or by Enter. */
export function TextFilter({ name, label, maxLength }: Props) {
  const url = useUrlState();
  const applied = url.text(name) ?? '';
  const [typed, setTyped] = useState(applied);
  const [shown, setShown] = useState(applied);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  if (shown !== applied) {
    setShown(applied);
    // Of what is typed here nothing is taken away, also not the space after a word.
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
        timer.current = setTimeout(() => apply(target.value), SETTLED_MS);
      }}
      onPressEnter={() => apply(typed)}
    />
  );
}
