import { ApiPropertyOptional } from '@nestjs/swagger';
import { ValidateIf } from 'class-validator';
import {
  checkInteger,
  checkText,
  EMPTY,
  field,
  INVALID,
  NOT_AN_ARRAY,
  NOT_AN_OBJECT,
  nullAsOmitted,
  Text,
} from '../../common/input/fields';
import type { Problem } from '../../common/input/checked';
import type { Saying } from '../../common/words/words';
import { DESCRIPTION_TYPES, type IceCandidate, type SessionDescription } from '../signals/signal-content';

const MAX_SDP = 32_768;
const MAX_CANDIDATES = 100;
const MAX_CANDIDATE = 1_024;
const MAX_MID = 64;
const MAX_LINE = 255;
const MAX_FRAGMENT = 256;

type Parts = Record<string, unknown>;
type PartCheck = (value: unknown) => Saying | undefined;

const isObject = (value: unknown): value is Parts =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What is wrong with the parts of an object: the first, by its own name. */
function firstProblem(parts: Parts, checks: Record<string, PartCheck>): Problem | undefined {
  for (const [part, check] of Object.entries(checks)) {
    const problem = check(parts[part]);
    if (problem !== undefined) return { part, problem };
  }
  return undefined;
}

const orNull =
  (check: PartCheck): PartCheck =>
  (value) =>
    value === undefined || value === null ? undefined : check(value);

const required =
  (check: PartCheck): PartCheck =>
  (value) =>
    value === undefined || value === null ? EMPTY : check(value);

const isBlank = (value: unknown): boolean => typeof value === 'string' && value.trim() === '';

const DESCRIPTION: Record<keyof SessionDescription, PartCheck> = {
  type: required((value) => {
    if (isBlank(value)) return EMPTY;
    return (DESCRIPTION_TYPES as readonly unknown[]).includes(value) ? undefined : INVALID;
  }),
  sdp: required((value) => {
    if (isBlank(value)) return EMPTY;
    return checkText(value, { max: MAX_SDP }) ?? ((value as string).startsWith('v=0') ? undefined : INVALID);
  }),
};

const CANDIDATE: Record<keyof IceCandidate, PartCheck> = {
  candidate: required((value) => checkText(value, { max: MAX_CANDIDATE })),
  sdpMid: orNull((value) => checkText(value, { max: MAX_MID })),
  sdpMLineIndex: orNull((value) => checkInteger(value, 0, MAX_LINE)),
  usernameFragment: orNull((value) => checkText(value, { max: MAX_FRAGMENT })),
};

function checkDescription(value: unknown): Problem | undefined {
  return isObject(value) ? firstProblem(value, DESCRIPTION) : NOT_AN_OBJECT;
}

function checkCandidates(value: unknown): Problem | undefined {
  if (!Array.isArray(value)) return NOT_AN_ARRAY;
  if (value.length > MAX_CANDIDATES) return (words) => words.tooMany(MAX_CANDIDATES);
  for (const candidate of value as unknown[]) {
    const problem = isObject(candidate) ? firstProblem(candidate, CANDIDATE) : INVALID;
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** An empty list is as none. */
const hasCandidates = ({ candidates }: SendSignalRequest): boolean =>
  candidates !== undefined && !(Array.isArray(candidates) && candidates.length === 0);

const hasContent = (body: SendSignalRequest): boolean =>
  body.description !== undefined || hasCandidates(body);

/** What one terminal of an answered call has for the other one, in the order in which it is checked (contract 17). */
export class SendSignalRequest {
  @Text({ max: 64, default: '' })
  terminal_id!: string;

  @Text({ max: 64 })
  signal_id!: string;

  /**
   * The connection, named by the caller. It comes with a description or candidates, and they with it; without all three
   * a callee asks for an offer.
   */
  @ApiPropertyOptional()
  @ValidateIf((body: SendSignalRequest) => body.session_id !== undefined || hasContent(body))
  @Text({ max: 64 })
  session_id?: string;

  /** What the terminal has set as its local description; in a signal of candidates alone it is left out. */
  @ApiPropertyOptional()
  @ValidateIf(
    (body: SendSignalRequest) =>
      body.description !== undefined || (body.session_id !== undefined && !hasCandidates(body)),
  )
  @field({
    read: nullAsOmitted,
    check: checkDescription,
    schema: {
      type: 'object',
      properties: {
        type: { type: 'string', enum: [...DESCRIPTION_TYPES], description: 'Who asks and who answers' },
        sdp: { type: 'string', maxLength: MAX_SDP, description: 'Begins with `v=0`', example: 'v=0' },
      },
      required: ['type', 'sdp'],
    },
  })
  description?: SessionDescription;

  /** Ways to reach the terminal, at most 100 at a time. */
  @field({
    optional: true,
    read: nullAsOmitted,
    check: checkCandidates,
    schema: {
      type: 'array',
      maxItems: MAX_CANDIDATES,
      items: {
        type: 'object',
        properties: {
          candidate: {
            type: 'string',
            maxLength: MAX_CANDIDATE,
            description: 'Empty: there are no more',
            example: 'candidate:1 1 udp 2122260223 192.0.2.7 50000 typ host',
          },
          sdpMid: {
            type: 'string',
            nullable: true,
            maxLength: MAX_MID,
            description: 'Of which medium; null where it is not said',
            example: '0',
          },
          sdpMLineIndex: {
            type: 'integer',
            nullable: true,
            minimum: 0,
            maximum: MAX_LINE,
            description: 'Of which medium, by its place',
            example: 0,
          },
          usernameFragment: {
            type: 'string',
            nullable: true,
            maxLength: MAX_FRAGMENT,
            description: 'Of which generation of candidates',
            example: 'Xk3q',
          },
        },
        required: ['candidate'],
      },
    },
  })
  candidates?: Partial<IceCandidate>[];
}
