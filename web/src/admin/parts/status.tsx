import { Badge } from 'antd';

interface Props {
  kind: 'success' | 'processing' | 'default' | 'warning' | 'error';
  /** Text of the state; colour alone is not accessible. */
  word: string;
}

/** A state: a coloured dot and a word. */
export const Status = ({ kind, word }: Props) => <Badge status={kind} text={word} />;
