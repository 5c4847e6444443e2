/** Triggers of automations. */
import { type Static, Type } from 'typebox'
import { WEEKDAYS } from '../../../base/api/form-choices.ts'
import { DISALLOWED_IN_LINES } from '../../../base/api/line.ts'
import { Line } from '../../../base/api/schema.ts'
import { CODE_REPOSITORY_NAME } from '../../projects/operations/code-repositories.ts'

const plain = { additionalProperties: false } as const
const MAX_PATTERNS = 20

export const Patterns = (description: string, examples: string[]) =>
  Type.Array(Type.String({ minLength: 1, maxLength: 200, pattern: `^[^\\\\${DISALLOWED_IN_LINES}]+$` }), {
    maxItems: MAX_PATTERNS,
    uniqueItems: true,
    description: `${description} \`*\` stands for a part of a name, \`**\` for any number of folders.`,
    examples: [examples],
  })
const Pages = Type.Optional(Patterns('Addresses of pages; left out: all.', ['/guides/**']))

const Schedule = Type.Object(
  {
    kind: Type.Enum(['schedule']),
    every: Type.Optional(Type.Enum(['hour', 'day', 'week'])),
    cron: Type.Optional(
      Line(100, {
        description:
          'In place of `every`: minute, hour, day of the month, month and weekday, at least 5 minutes apart.',
        examples: ['0 9 * * 1-5'],
      }),
    ),
    hour: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 23, default: 9, description: 'Of days and weeks.' }),
    ),
    minute: Type.Optional(Type.Integer({ minimum: 0, maximum: 59, default: 0 })),
    weekday: Type.Optional(Type.Enum([...WEEKDAYS], { default: 'monday', description: 'Of weeks.' })),
    timeZone: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        default: 'UTC',
        description: 'A name of the IANA time zone database.',
        examples: ['Europe/Berlin'],
      }),
    ),
  },
  plain,
)
export type Schedule = Static<typeof Schedule>

/** A trigger; each kind has fields of its own. */
export const AutomationTrigger = Type.Union(
  [
    Schedule,
    Type.Object(
      { kind: Type.Enum(['push']), pages: Pages },
      { ...plain, description: 'The site was published, and the text of these pages has changed.' },
    ),
    Type.Object(
      {
        kind: Type.Enum(['feedback']),
        count: Type.Integer({ minimum: 1, maximum: 50 }),
        pages: Pages,
      },
      { ...plain, description: 'So many pending entries of feedback, with words or code, are on one page.' },
    ),
    Type.Object(
      { kind: Type.Enum(['search']), count: Type.Integer({ minimum: 1, maximum: 10_000 }) },
      { ...plain, description: 'So many searches of the last 7 days for the same words found nothing.' },
    ),
    Type.Object(
      { kind: Type.Enum(['broken_link']) },
      { ...plain, description: 'The published site has links or images that lead nowhere.' },
    ),
    Type.Object(
      { kind: Type.Enum(['webhook']) },
      { ...plain, description: 'A message came to the address of the automation.' },
    ),
    Type.Object(
      {
        kind: Type.Enum(['comment']),
        mention: Type.Optional(
          Type.String({
            pattern: '^@?[A-Za-z0-9][A-Za-z0-9_.-]{1,49}$',
            default: '@octavo',
            description: 'The word that calls for it.',
          }),
        ),
        people: Type.Array(Line(100), {
          minItems: 1,
          maxItems: 50,
          uniqueItems: true,
          description: 'Names at the forge of those who may call for it.',
          examples: [['anna']],
        }),
      },
      {
        ...plain,
        description:
          'One of these people wrote a comment with that word on an issue or a pull request, and the webhook for pushes told of it.',
      },
    ),
    Type.Object(
      {
        kind: Type.Enum(['pull_request']),
        repository: Type.String({
          maxLength: 200,
          pattern: '^[^\\s/]+(/[^\\s/]+)+$',
          description: 'As the forge calls it; of the docs, or of the code that they are about.',
          examples: ['acme/api'],
        }),
        when: Type.Optional(Type.Enum(['opened', 'merged'], { default: 'merged' })),
      },
      {
        ...plain,
        description:
          'A pull request of that repository was opened or merged, and a webhook of that repository told of it at the address for pushes.',
      },
    ),
    Type.Object(
      {
        kind: Type.Enum(['code_push']),
        repository: Type.String({
          pattern: CODE_REPOSITORY_NAME.source,
          description: 'Name of a code repository of the project.',
          examples: ['api'],
        }),
        files: Type.Optional(
          Patterns('Files below the folder of the code repository that count; left out: all.', ['src/**']),
        ),
        pages: Pages,
      },
      {
        ...plain,
        description:
          'The branch of that code repository has moved, and pages name what changed: options, addresses of the API, files, identifiers in code spans and code blocks.',
      },
    ),
  ],
  { description: 'What begins a run.' },
)
export type AutomationTrigger = Static<typeof AutomationTrigger>
