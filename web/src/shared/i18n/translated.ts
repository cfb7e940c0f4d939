/** Type of a translation of `T`: missing or additional texts do not compile. */
export type Translated<T> = {
  readonly [Key in keyof T]: T[Key] extends string ? string : Translated<T[Key]>;
};
