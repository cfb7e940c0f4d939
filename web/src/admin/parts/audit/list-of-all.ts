/** Returns a function that returns its list. A list that lacks a member of the union does not compile. */
export const listOfAll =
  <Union extends string>() =>
  <const List extends readonly Union[]>(
    list: List & ([Union] extends [List[number]] ? unknown : { missing: Exclude<Union, List[number]> }),
  ): List =>
    list;
