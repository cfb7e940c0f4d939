import { Select } from 'antd';
import { useUrlState } from '../../../shared/url-state';

interface Props {
  /** Name of the parameter in the URL. */
  name: string;
  label: string;
  options: readonly { value: string; label: string }[];
  /** Parameters that are cleared when the filter changes. */
  resets?: readonly string[];
}

const NO_RESETS: readonly string[] = [];

/** A filter with a fixed set of values. */
export function ChoiceFilter({ name, label, options, resets = NO_RESETS }: Props) {
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
