/** What every dialog hands on to its modal, so that it fades away before it is gone and the focus returns. */
export interface DialogModal {
  open: boolean;
  onCancel: () => void;
  afterClose: () => void;
}
