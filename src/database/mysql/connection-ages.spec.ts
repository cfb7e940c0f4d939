import { ConnectionAges } from './connection-ages';

describe('ConnectionAges', () => {
  const tracking = (count: number): { ages: ConnectionAges<object>; made: object[]; make: () => object } => {
    const ages = new ConnectionAges<object>();
    const make = (): object => {
      const connection = {};
      ages.track(connection);
      return connection;
    };
    return { ages, made: Array.from({ length: count }, make), make };
  };
  const retired = (ages: ConnectionAges<object>, connections: object[]): boolean[] =>
    connections.map((connection) => ages.isRetired(connection));

  it('retires no connection while no statement is refused', () => {
    const { ages, made } = tracking(2);
    for (const connection of made) ages.noteChange(connection);
    expect(retired(ages, [{}, ...made])).toEqual([false, false, false]);
  });

  it('retires every connection made before the first refusal', () => {
    const { ages, made, make } = tracking(2);
    ages.noteDemotion();
    expect(retired(ages, [{}, ...made, make()])).toEqual([true, true, true, false]);
  });

  it('keeps the connections made since while further statements are refused', () => {
    const { ages, make } = tracking(1);
    ages.noteDemotion();
    const since = make();
    ages.noteDemotion();
    expect(retired(ages, [since])).toEqual([false]);
  });

  it('retires the connections older than the first one that changes rows again', () => {
    const { ages, make } = tracking(1);
    ages.noteDemotion();
    const toTheOldServer = [make(), make()];
    const toTheNewServer = [make(), make()];
    ages.noteChange(toTheNewServer[0] as object);
    ages.noteChange(toTheNewServer[1] as object);
    expect(retired(ages, toTheOldServer)).toEqual([true, true]);
    expect(retired(ages, toTheNewServer)).toEqual([false, false]);
  });

  it('ignores a change on a connection that is retired', () => {
    const { ages, made, make } = tracking(1);
    ages.noteDemotion();
    const toTheOldServer = make();
    ages.noteChange(made[0] as object);
    ages.noteChange(make());
    expect(retired(ages, [toTheOldServer])).toEqual([true]);
  });

  it('retires them again at the next demotion', () => {
    const { ages, make } = tracking(1);
    ages.noteDemotion();
    const first = make();
    ages.noteChange(first);
    ages.noteDemotion();
    expect(retired(ages, [first, make()])).toEqual([true, false]);
  });
});
