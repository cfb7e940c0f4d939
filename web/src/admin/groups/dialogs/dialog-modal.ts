/**
 * Props that each dialog passes to its modal, so that it fades out before it is unmounted and the focus is restored.
 */
export interface DialogModal {
  open: boolean;
  onCancel: () => void;
  afterClose: () => void;
}
