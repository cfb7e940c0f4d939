/** Response of a bulk operation. `affected`: number of objects that it changed. */
export class AffectedResponse {
  affected!: number;
}
