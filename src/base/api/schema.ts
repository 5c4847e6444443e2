/** Schema building blocks shared by all areas. A TypeBox definition is type, validator and OpenAPI schema in one. */
import { type Static, type TSchema, Type } from 'typebox'
import { ERROR_CODES } from '../errors/errors.ts'
import { JOB_ERROR_CODES } from '../errors/job-errors.ts'
import { LINE_PATTERN } from './line.ts'

export const DateTime = Type.String({
  format: 'date-time',
  description: 'ISO 8601 in UTC with milliseconds.',
  examples: ['2026-11-21T09:30:00.000Z'],
})

/** Schema of a name or another single-line text. */
export function Line(
  maxLength: number,
  options: { description?: string; examples?: string[]; pattern?: string } = {},
) {
  return Type.String({ minLength: 1, maxLength, pattern: LINE_PATTERN, ...options })
}

/** JSON Schema 2020-12 form of "this or null", as required by OpenAPI 3.1. */
export function Nullable<Schema extends TSchema>(schema: Schema) {
  return Type.Union([schema, Type.Null()])
}

export const ErrorBody = Type.Object(
  {
    error: Type.String({ description: 'What is wrong and what to do.' }),
    code: Type.Enum(ERROR_CODES, {
      description: 'The word of the error catalogue: it never changes, and further ones may come.',
    }),
    details: Type.Optional(
      Type.Array(
        Type.Object(
          {
            message: Type.String(),
            field: Type.Optional(
              Type.String({
                description: 'The parameter or JSON pointer that the message is about.',
                examples: ['/domain'],
              }),
            ),
          },
          { additionalProperties: false },
        ),
        { description: 'One message for each thing wrong, all at once.' },
      ),
    ),
  },
  { additionalProperties: false, title: 'Error' },
)
export type ErrorBody = Static<typeof ErrorBody>

export const PageQuery = {
  limit: Type.Optional(
    // Described as a number for compatibility, but restricted to whole numbers.
    Type.Number({
      minimum: 1,
      maximum: 100,
      multipleOf: 1,
      default: 50,
      description: 'How many entries to return.',
    }),
  ),
  cursor: Type.Optional(
    Type.String({ minLength: 1, maxLength: 2048, description: "The previous response's `nextCursor`." }),
  ),
}

export const CsvQuery = {
  bom: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'Whether CSV begins with a byte order mark, by which Excel knows that it is UTF-8; nothing else has one.',
    }),
  ),
}

export const JobErrorCode = Type.Enum(JOB_ERROR_CODES, {
  description:
    'The word for `error` in the catalogue of how jobs end: it never changes, and further ones may come.',
})
