import settings from '../../schemas/settings.schema.json' with { type: 'json' }
import { MOST_ORIGINS } from '../auth/allowed-origins.ts'
import { MOST_EMAIL_DOMAINS } from '../auth/email-domains.ts'
import {
  MOST_POINTS as POINTS_OF_CHUNK,
  MOST_CHARACTERS as CHARACTERS_OF_CHUNK,
} from '../datapoints/chunks/pack-series.ts'
import { MOST_CHARACTERS as CHARACTERS_OF_BLOCK } from '../datapoints/segments/fold-into-blocks.ts'
import { LONGEST_KEY, MOST_PATH_BYTES } from '../documents/checks/record-rules.ts'
import { MOST_CHARACTERS as OF_RECORD } from '../documents/checks/text-checks.ts'
import { MOST_FINDINGS } from '../documents/found-in-text.ts'
import { MOST_HELD_FINDINGS } from '../plan/findings/held-metadata.ts'
import { MOST_ERRORS } from '../records/schema-findings/schema-error.ts'
import { DOCUMENT_LIMITS } from '../documents/read/load.ts'
import { CHARACTERS_OF_VALUE } from '../documents/yaml/yaml-aliases.ts'
import { MOST_OWNED } from '../platform/objects/list-owned.ts'
import { SHORTEST_PASSWORD, LONGEST_PASSWORD_BYTES } from '../platform/access/accounts/passwords.ts'
import { SESSION_IDLE_SECONDS, SESSION_SECONDS_IN_ALL } from '../platform/access/sessions/session-lifetime.ts'
import { MOST_ANSWER_BYTES, MOST_DOCUMENT_BYTES } from '../platform/answer-budget.ts'
import { MOST_BEGUN } from '../platform/changes/beginnings.ts'
import { MOST_AGAIN } from '../platform/changes/datapoint-source.ts'
import { DATAPOINT_LIMITS } from '../platform/datapoints/datapoints.ts'
import { BYTES_OF_FOLD } from '../platform/datapoints/folding/fold-buffer.ts'
import { MOST_CHARACTERS as CHARACTERS_OF_FLUSH, MOST_IN_FLUSH } from '../platform/datapoints/ingest/committer.ts'
import { READING_LIMITS } from '../platform/datapoints/reading/reading-limits.ts'
import { STORED as STORED_REFUSALS } from '../platform/datapoints/refused/refused-datapoints.ts'
import { MOST_DELETIONS_OF_SERIES, MOST_SERIES_OF_DELETION } from '../platform/deletions/delete-datapoints.ts'
import { TOKEN_MINUTES } from '../platform/deletions/deletion-token.ts'
import { PREVIEW_LIMITS } from '../platform/deletions/deletions.ts'
import { SETPOINT_LIMITS } from '../platform/setpoints/setpoint.ts'
import { LONGEST_LINE, LONGEST_TEXT } from '../platform/systems/input-problems.ts'
import { MOST_ADOPTED } from '../reconcile/adopt/adoptions.ts'
import { MOST_METADATA } from '../records/metadata-limits.ts'
import { MOST_COMPONENTS } from '../server/graphql/systems/components.ts'
import { LONGEST_OF_ORIGIN } from '../server/graphql/imports/import-operations.ts'
import { DEFAULT_PAGE, MAX_PAGE } from '../server/graphql/page.ts'
import { QUERY_LIMITS } from '../server/graphql/requests/query-limits.ts'
import { AT_ONCE as HEAVY_AT_ONCE } from '../server/heavy/heavy-requests.ts'
import { ACCESS_TOKEN_SECONDS, REFRESH_IDLE, REFRESH_IN_ALL } from '../server/oidc/lifetimes.ts'
import { STALLED_MS } from '../server/process/listen.ts'
import { MOST_AHEAD } from '../server/requests/in-turn.ts'
import { DEFAULT_LIMITS, sizeText } from '../server/requests/limits.ts'
import { MOST_SECONDS } from '../server/routes/set-points-query.ts'
import { BYTES_AT_ONCE } from '../store/datapoints/packed/blocks.ts'
import { UNPACKED_AT_ONCE } from '../store/datapoints/packed/chunks.ts'
import type { Emitter } from './emitter.ts'

export const limitsTable: Emitter = { path: 'generated/limits.md', emit }

const HEAD = `<!-- Generated from the limits in src/ by "npm run types". Do not edit. -->

# Limits

Holdfast rejects a request that exceeds a limit, and names the limit. It cuts nothing off. The code is \`LIMIT_EXCEEDED\`, which is
413 over HTTP, unless the table says otherwise. No limit has a setting.
`

/** A limit: its subject, its value, and the consequence of exceeding it. */
type Row = readonly [what: string, limit: string, beyond?: string]

const RETRY = '503 with `Retry-After`'
const BAD_INPUT = '`BAD_USER_INPUT`'
const FINDING = 'an error with file and line'

const SECTIONS: { readonly [heading: string]: readonly Row[] } = {
  Requests: [
    ['body of a GraphQL request', sizeText(DEFAULT_LIMITS.requestBytes)],
    ['body with an import document', sizeText(DEFAULT_LIMITS.importDocumentBytes)],
    [
      'bodies of one account that a process works on',
      `${sizeText(DEFAULT_LIMITS.requestsBytesOfAccount)}, and ${sizeText(DEFAULT_LIMITS.documentsBytesOfAccount)} of larger ones with import documents`,
      RETRY,
    ],
    [
      'bodies of all accounts that a process works on',
      `${sizeText(DEFAULT_LIMITS.requestsBytes)}, and ${sizeText(DEFAULT_LIMITS.documentsBytes)} of larger ones with import documents`,
      RETRY,
    ],
    ['plans, exports and applies of a GraphQL operation', count(QUERY_LIMITS.documents)],
    ['previews of deletions of a GraphQL operation', count(QUERY_LIMITS.previews)],
    ['histories of records of a GraphQL operation', count(QUERY_LIMITS.histories)],
    ['answer', `${sizeText(MOST_ANSWER_BYTES)}; all fields of a GraphQL request share it`],
    ['answer with an import document or a plan', sizeText(MOST_DOCUMENT_BYTES)],
    ['answer that the client does not read', `${STALLED_MS / 1_000} seconds without progress`, 'disconnected'],
    ['requests that a connection sends ahead of answers', count(MOST_AHEAD), 'disconnected'],
    [
      'answers of a process that are not read yet',
      `${sizeText(DEFAULT_LIMITS.unreadBytes)}, ${sizeText(DEFAULT_LIMITS.unreadBytesOfAccount)} of an account, and the answer that reaches it`,
      RETRY,
    ],
    [
      'plans, applies, exports and large queries that a process on PostgreSQL works on',
      `${HEAVY_AT_ONCE.mostOfAll}, ${HEAVY_AT_ONCE.mostOfOne} of a domain; others wait ${HEAVY_AT_ONCE.patienceMs / 1_000} seconds`,
      RETRY,
    ],
    ['top-level fields of a GraphQL operation', count(QUERY_LIMITS.operations)],
    ['fields of a GraphQL operation', count(QUERY_LIMITS.fields)],
    ['edges of a GraphQL operation', count(QUERY_LIMITS.edges)],
    ['`totalCount` of a GraphQL operation', count(QUERY_LIMITS.counts)],
    ['levels of fields', count(QUERY_LIMITS.depth)],
    ['values of a GraphQL answer', count(QUERY_LIMITS.values)],
    ['entries of lists in arguments', count(QUERY_LIMITS.entries)],
    ['items of the nested lists of one edge together', count(MOST_OWNED)],
    ['tokens of a GraphQL document', count(QUERY_LIMITS.tokens)],
    ['characters of a GraphQL document', count(QUERY_LIMITS.length)],
    ['items of a page', `${count(MAX_PAGE)}, by default ${DEFAULT_PAGE}`],
  ],
  'Import documents': [
    ['all files together', sizeText(DOCUMENT_LIMITS.bytes), FINDING],
    ['levels of brackets', count(DOCUMENT_LIMITS.depth), FINDING],
    [`values of YAML aliases (${CHARACTERS_OF_VALUE} characters each)`, count(DOCUMENT_LIMITS.aliasedValues), FINDING],
    ['mistakes of a file', count(MOST_FINDINGS), 'the rest of the file is not read, which the last finding says'],
    [
      'mistakes of shape in a document',
      count(MOST_ERRORS),
      'the rest of the document is not checked, which the last finding says',
    ],
    [
      'values of systems, components and events that break a changed metadata type',
      count(MOST_HELD_FINDINGS),
      'a plan counts the others',
    ],
    ['characters of a key', count(LONGEST_KEY), FINDING],
    ['bytes of a key with the keys above it', count(MOST_PATH_BYTES), FINDING],
    ['characters of a text of a record', count(OF_RECORD.text), FINDING],
    ['characters of a record, as JSON', count(OF_RECORD.record), FINDING],
    ['changes that one run of `holdfast adopt` writes', count(MOST_ADOPTED)],
    ['characters of each text in the origin of an apply', count(LONGEST_OF_ORIGIN)],
    ['characters of a key in `holdfast.yaml`', count(settings.$defs.WrittenKey.maxLength), FINDING],
  ],
  'Systems, components and events': [
    ['components that one request creates', count(MOST_COMPONENTS)],
    ['metadata of one object', `${count(MOST_METADATA.items)} items and ${count(MOST_METADATA.bytes)} bytes`],
    ['characters of a name', count(LONGEST_LINE)],
    ['characters of a description', count(LONGEST_TEXT)],
  ],
  'Sending datapoints': [
    ['batch', `${count(DEFAULT_LIMITS.batchPoints)} datapoints and ${sizeText(DEFAULT_LIMITS.batchBytes)} unpacked`],
    [
      'body that stalls or trickles while others need its room',
      '10 to 20 seconds; below 64 KiB one to two minutes',
      '408',
    ],
    ['values of a batch, inside of JSON values too', count(DEFAULT_LIMITS.batchValues)],
    ['time ahead of the server', `${DATAPOINT_LIMITS.aheadMicroseconds / 60_000_000} minutes`, 'the point is rejected'],
    [
      'batches of one account in a process',
      `${sizeText(DEFAULT_LIMITS.storingBytesOfAccount)}, and the batch that reaches it`,
      RETRY,
    ],
    [
      'batches of all accounts in a process',
      `${sizeText(DEFAULT_LIMITS.storingBytes)}, and the batch that reaches it`,
      RETRY,
    ],
    [
      'datapoints of a process that are not folded yet',
      `${count(DATAPOINT_LIMITS.mostHotPoints)} and ${sizeText(DATAPOINT_LIMITS.mostHotBytes)}`,
      RETRY,
    ],
    [
      'rejected datapoints that are listed',
      `${count(STORED_REFUSALS.ofDomain)} rows of a domain, ${count(STORED_REFUSALS.ofSender)} of a sender`,
      'the oldest are counted together',
    ],
  ],
  'Reading datapoints': [
    ['series of a query', count(READING_LIMITS.series)],
    ['points of a page', count(READING_LIMITS.page)],
    ['buckets', count(READING_LIMITS.buckets)],
    ['points of a curve', count(READING_LIMITS.thinned)],
    ['stored points behind a curve', count(READING_LIMITS.curve)],
    [
      'values of a bucket behind `median` or `p95`',
      `${count(READING_LIMITS.curve)}; all fields of a request share them`,
    ],
    ['series of a file', count(READING_LIMITS.seriesOfFile)],
  ],
  Deleting: [
    ['series whose datapoints a deletion deletes', count(MOST_SERIES_OF_DELETION)],
    ['deletions of a series whose points are not removed yet', count(MOST_DELETIONS_OF_SERIES), RETRY],
    ['time for which a preview counts', `${TOKEN_MINUTES} minutes`, '`CONFLICT`'],
    [
      'previews of datapoints of a domain by a process',
      `${PREVIEW_LIMITS.atOnce} at once, then one per ${PREVIEW_LIMITS.afterwardsEveryMs / 1_000} s`,
      `they wait for up to ${PREVIEW_LIMITS.longestWaitMs / 1_000} s; then ${RETRY}`,
    ],
  ],
  'Setpoints and subscriptions': [
    ['setpoints of one mutation', count(SETPOINT_LIMITS.made)],
    ['`models` of one mutation', count(SETPOINT_LIMITS.models)],
    ['setpoints that a device gets at once', count(SETPOINT_LIMITS.given), 'the others follow'],
    ['bytes of their values', sizeText(SETPOINT_LIMITS.givenBytes), 'the others follow'],
    ['components that a device asks about', count(SETPOINT_LIMITS.components)],
    ['characters of a reason', count(SETPOINT_LIMITS.reason), 'the answer is rejected'],
    ['seconds that a device may wait', count(MOST_SECONDS), BAD_INPUT],
    [
      'waiting devices of a process',
      `${count(DEFAULT_LIMITS.waitingPolls)}, ${count(DEFAULT_LIMITS.waitingPollsOfAccount)} of an account`,
      RETRY,
    ],
    ['subscriptions of a process', count(DEFAULT_LIMITS.streams), RETRY],
    ['subscriptions of an account in a process', count(DEFAULT_LIMITS.streamsOfAccount)],
    [
      'points that wait for a subscriber',
      count(DEFAULT_LIMITS.streamBacklog),
      'the stream ends, and resumes by its cursor',
    ],
    ['datapoints that a subscription missed', count(MOST_AGAIN.points)],
    [
      'missed points that wait for the subscribers of a process',
      `${count(MOST_BEGUN.most)}, ${count(MOST_BEGUN.mostOfAccount)} of an account`,
      RETRY,
    ],
  ],
  'Signing in': [
    ['characters of a password', `at least ${SHORTEST_PASSWORD}`, BAD_INPUT],
    ['bytes of a password', count(LONGEST_PASSWORD_BYTES)],
    ['access token', duration(ACCESS_TOKEN_SECONDS), 'refresh it'],
    ['refresh token', `${duration(REFRESH_IDLE)} without use, ${duration(REFRESH_IN_ALL)} in all`, 'sign in again'],
    [
      'console session',
      `${duration(SESSION_IDLE_SECONDS)} without use, ${duration(SESSION_SECONDS_IN_ALL)} in all`,
      'sign in again',
    ],
    ['domains of `emailDomains`', count(MOST_EMAIL_DOMAINS), BAD_INPUT],
    ['origins of `allowedOrigins`', count(MOST_ORIGINS)],
  ],
  'Memory of a server': [
    [
      'flush',
      `${count(MOST_IN_FLUSH)} datapoints and ${count(CHARACTERS_OF_FLUSH)} characters, or one batch`,
      'the next flush',
    ],
    [
      'datapoints when folding begins',
      `${count(DATAPOINT_LIMITS.foldAtPoints)}, or ${count(DATAPOINT_LIMITS.foldAtRows)} rows, ${sizeText(DATAPOINT_LIMITS.foldAtBytes)} or ${DATAPOINT_LIMITS.foldAfterMs / 1_000} seconds`,
      '',
    ],
    [
      'part that is folded, or taken over from a dead process',
      `${sizeText(BYTES_OF_FOLD)}, or one flush`,
      'the next part',
    ],
    ['row of `datapoint_blocks`', `${count(CHARACTERS_OF_BLOCK)} characters`, 'the longest series leave as chunks'],
    ['rows of a block that are merged', `${sizeText(BYTES_AT_ONCE)} and one row`, 'the next merge'],
    [
      'chunk',
      `${count(POINTS_OF_CHUNK)} datapoints of one series, ${count(CHARACTERS_OF_CHUNK)} characters, or one text`,
      'more chunks',
    ],
    ['chunks that are merged or joined', `${sizeText(UNPACKED_AT_ONCE)} unpacked, and one chunk`, 'the next merge'],
  ],
}

async function emit(): Promise<string> {
  return [HEAD, ...Object.entries(SECTIONS).map(([heading, rows]) => `## ${heading}\n\n${table(rows)}`)].join('\n')
}

function table(rows: readonly Row[]): string {
  return `| what | at most | beyond it |\n|---|---|---|\n${rows.map(([what, limit, beyond = '']) => `| ${[what, limit, beyond].join(' | ')} |\n`).join('')}`
}

function count(limit: number): string {
  return limit.toLocaleString('en-US')
}

/** For example `10 minutes`, `1 hour`, `30 days`. */
function duration(seconds: number): string {
  const [size, unit] =
    seconds % 86_400 === 0 ? [86_400, 'day'] : seconds % 3_600 === 0 ? [3_600, 'hour'] : [60, 'minute']
  return `${seconds / size} ${unit}${seconds === size ? '' : 's'}`
}
