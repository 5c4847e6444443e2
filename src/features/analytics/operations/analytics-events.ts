/**
 * Events that a site's pages send about how they are read: no cookies, no reader ids, nothing stored in the browser.
 */
import { type Static, Type } from 'typebox'
import { EVENT_LENGTHS, MAX_EVENT_AGE, MAX_EVENTS } from './event-lengths.ts'

export const EVENT_KINDS = ['view', 'search', 'copy', 'outbound'] as const
export type EventKind = (typeof EVENT_KINDS)[number]

/** Types of readers: people, AI agents and assistants, and all other programs. */
export const AUDIENCES = ['human', 'ai', 'bot'] as const
export type Audience = (typeof AUDIENCES)[number]

const text = (maxLength: number, description: string) => Type.String({ minLength: 1, maxLength, description })

const PageEvent = Type.Object(
  {
    kind: Type.Enum([...EVENT_KINDS]),
    path: text(EVENT_LENGTHS.path, 'Path of the page, as the site has it.'),
    ago: Type.Integer({
      minimum: 0,
      maximum: MAX_EVENT_AGE,
      description: 'Milliseconds since it happened, when the batch is sent.',
    }),
    referrer: Type.Optional(
      text(
        EVENT_LENGTHS.host,
        'Of a view: host name of the page that the reader came from, when it is of another site.',
      ),
    ),
    query: Type.Optional(text(EVENT_LENGTHS.query, 'Of a search: what was searched for.')),
    results: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 100_000, description: 'Of a search: pages that were found.' }),
    ),
    target: Type.Optional(
      text(
        EVENT_LENGTHS.path,
        'Of a search: path of the result that was followed. Of `outbound`: host name of the link.',
      ),
    ),
  },
  { additionalProperties: false },
)
export type PageEvent = Static<typeof PageEvent>

export const RecordEventsBody = Type.Object(
  {
    id: Type.String({
      minLength: 16,
      maxLength: 64,
      pattern: '^[A-Za-z0-9_-]+$',
      description:
        'Made by the sender, at random, once for each batch. A batch that is sent again counts once.',
      examples: ['5c0f0b8e-3c7e-4b7e-9a55-7d8a1f4f6c11'],
    }),
    events: Type.Array(PageEvent, { minItems: 1, maxItems: MAX_EVENTS }),
  },
  { additionalProperties: false, title: 'RecordEvents' },
)
export type RecordEventsBody = Static<typeof RecordEventsBody>

export const RecordedEvents = Type.Object(
  {
    recorded: Type.Integer({
      minimum: 0,
      description:
        'Events that are kept. The rest is of pages that the site does not have, of programs that the server counts itself, or of a reader who asks not to be tracked.',
    }),
  },
  { additionalProperties: false, title: 'RecordedEvents' },
)
export type RecordedEvents = Static<typeof RecordedEvents>
