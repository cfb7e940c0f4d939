import { Badge } from 'antd';

interface Props {
  kind: 'success' | 'processing' | 'default' | 'warning' | 'error';
  /** Text of the state; colour alone is not accessible. */
  label: string;
}

/** A state: a coloured dot and a word. */
export const Status = ({ kind, label }: Props) => <Badge status={kind} text={label} />;
