export type Sentence = (...args: never[]) => string;
/** At least one example of every sentence: a new one without an example does not compile. */
export type Examples<T extends Readonly<Record<string, Sentence>>> = {
  readonly [Key in keyof T]: readonly [Example<T[Key]>, ...Example<T[Key]>[]];
};
type Example<T extends Sentence> = readonly [when: string, ...Parameters<T>];
