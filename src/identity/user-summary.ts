/** How a user is shown to others. */
export class UserSummary {
  id!: number;
  name!: string;
  /** URL of a picture. */
  avatar!: string | null;
}
