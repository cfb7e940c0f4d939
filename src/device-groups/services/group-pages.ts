import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { success } from '../../common/http/envelope.interceptor';
import type { MessageCatalogue } from '../../common/i18n/catalogue';
import type { ListDeviceGroupsQuery } from '../dto/device-group-requests.dto';
import { DeviceGroupsService } from './device-groups.service';
import { GroupVersions } from './group-versions';

/** About 1,500 pages of 15 groups. */
const MAX_BYTES = 4 * 1024 * 1024;
/** Estimated memory of a page besides its body. */
const PAGE_BYTES = 300;

/** A response with a page of the list of groups. */
interface SerialisedPage {
  body: Buffer;
  headers: Record<string, number>;
}

/**
 * Pages of the list of groups in serialised form (API 11.2), cached per version of the tree and of the memberships.
 * Pages of earlier versions are evicted as the least recently used ones.
 */
@Injectable()
export class GroupPages {
  readonly #pages = new LRUCache<string, SerialisedPage>({
    maxSize: MAX_BYTES,
    sizeCalculation: ({ body }, key) => body.length + key.length + PAGE_BYTES,
  });

  constructor(
    private readonly groups: DeviceGroupsService,
    private readonly versions: GroupVersions,
  ) {}

  /** Returns the page as of the current versions, or newer ones. */
  async current(query: ListDeviceGroupsQuery, catalogue: MessageCatalogue): Promise<SerialisedPage> {
    const { tree, memberships } = await this.versions.current();
    const { page, per_page, keyword, status, parent_id } = query;
    // The message is all that depends on the language.
    const { message } = success(null, catalogue);
    const key = JSON.stringify([tree, memberships, message, page, per_page, status, parent_id, keyword]);
    const cached = this.#pages.get(key);
    if (cached !== undefined) return cached;
    // Read after the versions, the page is at least as new.
    const list = await this.groups.list(query);
    const serialised = {
      body: Buffer.from(JSON.stringify(success(list, catalogue))),
      headers: list.headers,
    };
    this.#pages.set(key, serialised);
    return serialised;
  }
}
