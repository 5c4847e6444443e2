/**
 * The file in which a bundle without a network gives out the feedback that it kept, and which `octavo feedback import`
 * reads: one JSON document. Each entry has the id that the browser made for it, so that a file that is read again adds
 * nothing.
 */
import { type Static, Type } from 'typebox'
import { DateTime } from '../../../base/api/schema.ts'
import { SubmitFeedbackBody } from '../../reader/operations/reader.ts'

export const FEEDBACK_FILE_FORMAT = 'octavo-feedback'
export const FEEDBACK_FILE_VERSION = 1

/** A file with more of either is refused. */
export const FEEDBACK_FILE_ENTRIES = 10_000
export const FEEDBACK_FILE_BYTES = 64 * 1024 * 1024

const { id: _, ...said } = Type.Omit(SubmitFeedbackBody, ['website', 'proof']).properties
const named = Type.Required(Type.Pick(SubmitFeedbackBody, ['id'])).properties

/** What the reader API takes, with the id required, and when it was said: left out when that is not known. */
export const FeedbackFileEntry = Type.Object(
  { ...named, ...said, createdAt: Type.Optional(DateTime) },
  { additionalProperties: false, title: 'FeedbackFileEntry' },
)
export type FeedbackFileEntry = Static<typeof FeedbackFileEntry>

export const FeedbackFile = Type.Object(
  {
    format: Type.Enum([FEEDBACK_FILE_FORMAT]),
    version: Type.Enum([FEEDBACK_FILE_VERSION]),
    siteId: Type.String({ pattern: '^site_[0-9a-z]+$', minLength: 1, maxLength: 64 }),
    entries: Type.Array(FeedbackFileEntry, { maxItems: FEEDBACK_FILE_ENTRIES }),
  },
  { additionalProperties: false, title: 'FeedbackFile' },
)
export type FeedbackFile = Static<typeof FeedbackFile>
