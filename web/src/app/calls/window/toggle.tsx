import { Icon, type IconName } from '../../icons';

interface Props {
  icon: IconName;
  label: string;
  isPressed: boolean;
  isDisabled?: boolean;
  onClick: () => void;
}

/** Round button of a call that is on or off. */
export const Toggle = ({ icon, label, isPressed, isDisabled = false, onClick }: Props) => (
  <button
    type="button"
    className="round"
    aria-label={label}
    title={label}
    aria-pressed={isPressed}
    disabled={isDisabled}
    onClick={onClick}
  >
    <Icon name={icon} />
  </button>
);
