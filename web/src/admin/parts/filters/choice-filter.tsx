import { Select } from 'antd';
import { useUrlState } from '../../../shared/url-state';

interface Props {
  /** What it is called in the address. */
  name: string;
  label: string;
  options: readonly { value: string; label: string }[];
  /** What else changes with it. */
  resets?: readonly string[];
}

const NOTHING_ELSE: readonly string[] = [];

/** A filter of a few values that the page knows. */
export function ChoiceFilter({ name, label, options, resets = NOTHING_ELSE }: Props) {
  const url = useUrlState();
  const value = options.find((option) => option.value === url.text(name))?.value ?? null;
  return (
    <Select<string | null>
      className="filter"
      allowClear
      showSearch={options.length > 10 && { optionFilterProp: 'label' }}
      popupMatchSelectWidth={false}
      aria-label={label}
      placeholder={label}
      value={value}
      options={[...options]}
      onChange={(next) =>
        url.set({
          ...Object.fromEntries(resets.map((each) => [each, null])),
          [name]: next,
          page: null,
          cursor: null,
        })
      }
    />
  );
}
