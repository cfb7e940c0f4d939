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
import type { LocalizedMessage } from '../../common/i18n/catalogue';
import { DESCRIPTION_TYPES, type IceCandidate, type SessionDescription } from '../signals/signal-content';

const MAX_SDP = 32_768;
const MAX_CANDIDATES = 100;
const MAX_CANDIDATE = 1_024;
const MAX_MID = 64;
const MAX_LINE = 255;
const MAX_FRAGMENT = 256;

type Parts = Record<string, unknown>;
type PartCheck = (value: unknown) => LocalizedMessage | undefined;

const isObject = (value: unknown): value is Parts =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the first problem among the parts of an object, with the name of the part. */
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
  if (value.length > MAX_CANDIDATES) return (catalogue) => catalogue.tooMany(MAX_CANDIDATES);
  for (const candidate of value as unknown[]) {
    const problem = isObject(candidate) ? firstProblem(candidate, CANDIDATE) : INVALID;
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Whether there are candidates. An empty list counts as none. */
const hasCandidates = ({ candidates }: SendSignalRequest): boolean =>
  candidates !== undefined && !(Array.isArray(candidates) && candidates.length === 0);

const hasContent = (body: SendSignalRequest): boolean =>
  body.description !== undefined || hasCandidates(body);

/** A signal from one terminal of an answered call to the other. Fields are validated in this order (API 6.4). */
export class SendSignalRequest {
  @Text({ max: 64, default: '' })
  terminal_id!: string;

  @Text({ max: 64 })
  signal_id!: string;

  /**
   * Connection id, chosen by the caller. Required with a description or candidates, and requires one of them. A callee
   * omits all three to request an offer.
   */
  @ApiPropertyOptional()
  @ValidateIf((body: SendSignalRequest) => body.session_id !== undefined || hasContent(body))
  @Text({ max: 64 })
  session_id?: string;

  /** The terminal's local description; omitted in a signal that contains only candidates. */
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
        type: {
          type: 'string',
          enum: [...DESCRIPTION_TYPES],
          description: 'Whether the description is an offer or the answer to one',
        },
        sdp: {
          type: 'string',
          maxLength: MAX_SDP,
          description: 'SDP text; starts with `v=0`',
          example: 'v=0',
        },
      },
      required: ['type', 'sdp'],
    },
  })
  description?: SessionDescription;

  /** ICE candidates of the terminal, at most 100 per signal. */
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
            description: 'ICE candidate; empty: there are no more',
            example: 'candidate:1 1 udp 2122260223 192.0.2.7 50000 typ host',
          },
          sdpMid: {
            type: 'string',
            nullable: true,
            maxLength: MAX_MID,
            description: 'Id of the media stream; null if not given',
            example: '0',
          },
          sdpMLineIndex: {
            type: 'integer',
            nullable: true,
            minimum: 0,
            maximum: MAX_LINE,
            description: 'Index of the media stream in the SDP',
            example: 0,
          },
          usernameFragment: {
            type: 'string',
            nullable: true,
            maxLength: MAX_FRAGMENT,
            description: 'Identifies the generation of candidates',
            example: 'Xk3q',
          },
        },
        required: ['candidate'],
      },
    },
  })
  candidates?: Partial<IceCandidate>[];
}
