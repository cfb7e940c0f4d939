/** How many objects an act on several has changed. */
export class AffectedResponse {
  affected!: number;
}
