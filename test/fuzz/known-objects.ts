import { kindOfResponseField, kindOfPathName, type Kind } from './names';

const REMEMBERED = 60;
const KEYS = 20;
/** Number of objects of each kind that are never deleted by id. */
const MIN_KEPT = 5;
/** Probability that a user in a request is one of `people`, who send the requests. */
const MAX_USERS = 0.9;
/** Probability that the creator of an object sends the request for it. */
const MAKERS = 0.4;

/** A placeholder for an object that will be known when the request is sent. `pick` (0 to 1) selects it. */
export class Reference {
  constructor(
    readonly kind: Kind,
    readonly pick: number,
  ) {}
}

interface Known {
  value: string | number;
  /** Ids of the related users in the order in which they became known: the first is mostly the creator. */
  people: Set<number>;
}

/** A user of the fuzzer: someone with a token, and an account to log in with. */
export interface Person {
  id: number;
  token: string;
  account: string;
  password: string;
}

/** Objects from earlier responses, so that requests refer to existing ones. */
export class KnownObjects {
  readonly #known = new Map<Kind, Known[]>();

  constructor(
    readonly people: Person[],
    readonly admins: string[],
    /** API keys. The first has all scopes. */
    readonly keys: string[],
  ) {}

  /** Adds a created key. Above the limit, replaces the oldest except the first. */
  keepKey(key: string): void {
    this.keys.push(key);
    if (this.keys.length > KEYS) this.keys.splice(1, 1);
  }

  person = (pick: number): Person => at(this.people, pick) as Person;

  /** Returns the current value of a reference; undefined if no object of its kind is known yet. */
  resolve({ kind, pick }: Reference, sender?: Person): string | number | undefined {
    if (kind === 'user' && pick < MAX_USERS) return this.person(pick / MAX_USERS).id;
    if (kind === 'stranger') return this.#unrelatedUser(pick);
    if (kind === 'eldestWebhook') return this.#known.get('webhook')?.[0]?.value;
    if (kind === 'newestSession') return this.find('session', 0)?.value;
    if (kind === 'sessionOwner') return this.#relatedUsers(this.find('session', 0))[0]?.id;
    if (kind === 'person') return this.person(pick).id;
    if (kind === 'attachment' || kind === 'picture') return this.#ownObject(kind, pick, sender);
    if (kind === 'account') return (sender ?? this.person(pick)).account;
    if (kind === 'password') return (sender ?? this.person(pick)).password;
    return this.find(kind, pick)?.value;
  }

  /** Returns an object of a user; only its uploader can use an attachment. */
  #ownObject(kind: Kind, pick: number, sender: Person | undefined): string | number | undefined {
    const own = (this.#known.get(kind) ?? []).filter(
      ({ people }) => sender !== undefined && people.has(sender.id),
    );
    return at(own, pick)?.value;
  }

  /** Returns a user who is not one of `people`. */
  #unrelatedUser(pick: number): string | number | undefined {
    const known = this.#known.get('user') ?? [];
    const strangers = known.filter(({ value }) => !this.people.some(({ id }) => id === Number(value)));
    return at(strangers, pick)?.value;
  }

  /** Returns an object, with a preference for new ones, because calls end soon. */
  find = (kind: Kind, pick: number): Known | undefined => at(this.#known.get(kind) ?? [], pick ** 2);

  /** Returns an object that may be deleted. The oldest `MIN_KEPT` are kept for other requests. */
  findSpare = (kind: Kind, pick: number): string | number | undefined =>
    at((this.#known.get(kind) ?? []).slice(MIN_KEPT), pick)?.value;

  /** Returns a user related to an object, often its creator, or any user if none is known. */
  relatedUser(known: Known | undefined, pick: number): Person {
    const concerned = this.#relatedUsers(known);
    const first = pick < MAKERS ? concerned[0] : at(concerned, (pick - MAKERS) / (1 - MAKERS));
    return first ?? this.person(pick);
  }

  /** Returns the last user who became related to an object: mostly its recipient. */
  lastRelatedUser = (known: Known | undefined): Person | undefined => this.#relatedUsers(known).at(-1);

  #relatedUsers = (known: Known | undefined): Person[] =>
    Array.from(known?.people ?? []).flatMap((id) => this.people.find((person) => person.id === id) ?? []);

  /** Records the objects of a response below `path`; `concerned`: ids of the sender and of the users in the request. */
  record(path: string, data: unknown, concerned: number[]): void {
    if (Array.isArray(data)) for (const item of data.slice(0, 10)) this.record(path, item, concerned);
    if (typeof data !== 'object' || data === null) return;
    // The sender of a message is related to it, regardless of the reader.
    const { sender_id } = data as { sender_id?: number };
    const people = sender_id === undefined ? concerned : [sender_id];
    for (const [name, value] of Object.entries(data)) {
      const kind = kindOfResponseField(path, name);
      const isValue = typeof value === 'number' || typeof value === 'string';
      if (kind !== undefined && isValue && value !== 0) this.keep(kind, value, people);
      else if (name === 'items' || name === 'list' || name === 'children')
        this.record(path, value, concerned);
    }
  }

  keep(kind: Kind, value: string | number, concerned: number[]): void {
    const known = this.#known.get(kind) ?? [];
    this.#known.set(kind, known);
    const same = known.find((other) => other.value === value);
    if (same) for (const id of concerned) same.people.add(id);
    else known.push({ value, people: new Set(concerned) });
    if (known.length > REMEMBERED) known.shift();
  }

  /** Removes the objects of a kind that are related to a user. */
  forgetOf(kind: Kind, userId: number): void {
    const known = (this.#known.get(kind) ?? []).filter(({ people }) => !people.has(userId));
    this.#known.set(kind, known);
  }

  /** Removes the objects that a list of ids deleted. */
  forgetAll(kind: Kind, ids: unknown): void {
    const gone = new Set(Array.isArray(ids) ? ids.map(String) : []);
    const known = (this.#known.get(kind) ?? []).filter(({ value }) => !gone.has(String(value)));
    this.#known.set(kind, known);
  }

  /** Removes the object that a request deleted. */
  forget(operationPath: string, target: string): void {
    const segments = target.split('?', 1)[0]?.split('/') ?? [];
    const name = /\{(\w+)\}$/.exec(operationPath)?.[1];
    const kind = name && kindOfPathName(operationPath, name);
    if (!kind || kind === 'user') return;
    const kept = kind === 'newestSession' ? 'session' : kind;
    const known = (this.#known.get(kept) ?? []).filter(({ value }) => String(value) !== segments.at(-1));
    this.#known.set(kept, known);
  }
}

/** Returns the element at `pick` (0 to 1); 0 is the newest. */
const at = <T>(list: T[], pick: number): T | undefined => list.at(-1 - Math.floor(pick * list.length));
