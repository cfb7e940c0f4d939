import { Injectable } from '@nestjs/common';
import { ItemsPage, offsetOf, type PageRequest } from '../common/http/page';
import { Transactions } from '../database/transactions';
import { UsersService, type UserSummary } from '../identity/users.service';
import type { ApiKeyResponse } from './dto/keys.dto';
import type { ApiKeyEntity } from './entities/api-key.entity';
import { KeyUses } from './key-uses';
import { keyById, listKeys } from './keys.store';
import { shownPrefix } from './rules/key-text.rules';

/** Returns API keys as shown to administrators. */
@Injectable()
export class KeyViews {
  constructor(
    private readonly transactions: Transactions,
    private readonly users: UsersService,
    private readonly uses: KeyUses,
  ) {}

  /** Returns one page of all API keys, sorted by id. */
  async list(request: PageRequest): Promise<ItemsPage<ApiKeyResponse>> {
    // Writes the uses recorded on this instance, so that the list contains them. Other instances write theirs within 30
    // s.
    await this.uses.write();
    const slice = { offset: offsetOf(request), limit: request.per_page };
    const [rows, total] = await listKeys(this.transactions.read(), slice);
    const creators = await this.users.findByIds(rows.map(({ created_by }) => created_by));
    const items = rows.map((row) => toResponse(row, creators.get(row.created_by)));
    return new ItemsPage(items, total, request);
  }

  /**
   * Returns an API key.
   * @throws {BusinessError} KEY_NOT_FOUND
   */
  async find(id: number): Promise<ApiKeyResponse> {
    return this.of(await keyById(this.transactions.read(), id));
  }

  async of(key: ApiKeyEntity): Promise<ApiKeyResponse> {
    const creators = await this.users.findByIds([key.created_by]);
    return toResponse(key, creators.get(key.created_by));
  }
}

const toResponse = (key: ApiKeyEntity, creator: UserSummary | undefined): ApiKeyResponse => ({
  id: key.id,
  name: key.name,
  scopes: key.scopes,
  expires_at: key.expires_at,
  rate_per_minute: key.rate_per_minute,
  prefix: shownPrefix(key.prefix),
  last_used_at: key.last_used_at,
  created_by: { id: key.created_by, name: creator?.name ?? '' },
  created_at: key.created_at,
});
