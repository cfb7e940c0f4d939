/** Maximum number of pictures or videos of a message. */
export const MAX_ATTACHMENTS = 10;

/** The fields of a request that name the attachments of a message. */
export interface AttachmentIds {
  attachment_id?: number;
  attachment_ids?: readonly number[];
  /** The image that is shown before the first video is played. */
  poster_attachment_id?: number;
}

/** Returns the ids of the attachments of a request, in the order of the message; `attachment_id` is the short form. */
export const attachmentIdsOf = ({ attachment_id, attachment_ids }: AttachmentIds): readonly number[] =>
  attachment_ids ?? (attachment_id === undefined ? [] : [attachment_id]);

/** Returns the ids of all attachments that a request uses: those of the message, and its poster. */
export const usedIdsOf = (sent: AttachmentIds): readonly number[] =>
  sent.poster_attachment_id === undefined
    ? attachmentIdsOf(sent)
    : [...attachmentIdsOf(sent), sent.poster_attachment_id];

/** Returns the name of the field that `attachmentIdsOf` reads. */
export const attachmentField = ({ attachment_ids }: AttachmentIds): keyof AttachmentIds =>
  attachment_ids === undefined ? 'attachment_id' : 'attachment_ids';
