import { Badge } from 'antd';

interface Props {
  kind: 'success' | 'processing' | 'default' | 'warning' | 'error';
  /** The colour alone tells nobody who does not see it. */
  word: string;
}

/** A state: a dot and a word. */
export const Status = ({ kind, word }: Props) => <Badge status={kind} text={word} />;
