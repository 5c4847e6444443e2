/** Schema building blocks shared by all areas. A TypeBox definition is type, validator and OpenAPI schema in one. */
import { type Static, type TSchema, Type } from 'typebox'
import { ERROR_CODES } from '../errors/errors.ts'
import type { Params as ErrorParams } from '../errors/format-error.ts'
import { JOB_ERROR_CODES } from '../errors/permanent-error.ts'
import { LINE_PATTERN } from './line.ts'

export const DateTime = Type.String({
  format: 'date-time',
  description: 'ISO 8601 in UTC with milliseconds.',
  examples: ['2026-11-21T09:30:00.000Z'],
})

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

const Params = Type.Optional(
  Type.Unsafe<ErrorParams>(
    Type.Object({}, { additionalProperties: true, description: 'Values in the message, by name.' }),
  ),
)

export const ErrorBody = Type.Object(
  {
    error: Type.String({ description: 'What went wrong and what to do, in English.' }),
    code: Type.Enum(ERROR_CODES, {
      description: 'Code from the error catalogue. Codes never change; new ones may be added.',
    }),
    params: Params,
    details: Type.Optional(
      Type.Array(
        Type.Object(
          {
            message: Type.String({ description: 'What is wrong with the field, in English.' }),
            code: Type.String({ description: 'Code of the message, for programs and translations.' }),
            params: Params,
            field: Type.Optional(
              Type.String({
                description: 'Name of the invalid parameter, or JSON pointer to the invalid field.',
                examples: ['/domain'],
              }),
            ),
          },
          { additionalProperties: false },
        ),
        { description: 'One entry per error in the request.' },
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
        'Whether CSV begins with a byte order mark, so that Excel detects UTF-8. Other formats never have one.',
    }),
  ),
}

export const JobErrorCode = Type.Enum(JOB_ERROR_CODES, {
  description: 'Code for `error`. Codes never change; new ones may be added.',
})
