/** The same texts in another language: what is missing, or too much, does not compile. */
export type Translated<T> = {
  readonly [Key in keyof T]: T[Key] extends string ? string : Translated<T[Key]>;
};
