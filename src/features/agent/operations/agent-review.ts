/** The review of a change: its files, and their risks for readers. */
import { type Static, Type } from 'typebox'
import { Nullable } from '../../../base/api/schema.ts'

export const ReviewedFile = Type.Object(
  {
    path: Type.String({ description: 'File below the docs folder.' }),
    change: Type.Enum(['added', 'modified', 'deleted']),
    reason: Nullable(Type.String({ description: "Why, in the agent's words." })),
    before: Nullable(Type.String()),
    after: Nullable(Type.String()),
    route: Nullable(Type.String({ description: 'Address of the page that the file is, when it is one.' })),
    picture: Nullable(
      Type.Object(
        { before: Nullable(Type.String()), after: Nullable(Type.String()) },
        {
          additionalProperties: false,
          description:
            'Addresses of the picture that the file is, when it is one: to be shown as a picture. One that is no drawing has no text.',
        },
      ),
    ),
  },
  { additionalProperties: false },
)
export type ReviewedFile = Static<typeof ReviewedFile>

/** Risks of a change for readers beyond wrong content. */
export const RISK_KINDS = [
  'script',
  'frame',
  'host',
  'tracker',
  'analytics',
  'deletion',
  'address',
  'warning',
  'hidden',
  'style',
  'settings',
  'command',
  'contact',
  'machines',
  'data',
  'picture',
  'value',
] as const
export type RiskKind = (typeof RISK_KINDS)[number]

/**
 * `high`: acts on readers, or removes a protection. `medium`: changes what readers run, see or are led to. `low`:
 * worth a look.
 */
export const RISK_LEVELS = ['high', 'medium', 'low'] as const
export type RiskLevel = (typeof RISK_LEVELS)[number]

const LEVELS: Record<RiskKind, RiskLevel> = {
  script: 'high',
  frame: 'high',
  tracker: 'high',
  analytics: 'high',
  settings: 'high',
  deletion: 'high',
  warning: 'high',
  command: 'medium',
  hidden: 'medium',
  host: 'medium',
  contact: 'medium',
  address: 'medium',
  value: 'medium',
  machines: 'medium',
  style: 'low',
  data: 'low',
  picture: 'low',
}

/** Kinds added by another version count as high. */
export function riskLevel(kind: RiskKind): RiskLevel {
  return LEVELS[kind] ?? 'high'
}

export const RiskNote = Type.Object(
  {
    kind: Type.Enum([...RISK_KINDS]),
    level: Type.Optional(
      Type.Enum([...RISK_LEVELS], {
        description:
          '`high` acts on readers or takes away what protects them, `medium` changes what they run, see or are led to, `low` is worth a look.',
      }),
    ),
    path: Type.String({ description: 'File below the docs folder.' }),
    line: Nullable(Type.Integer({ minimum: 1, description: 'Of the file as it is after the change.' })),
    what: Type.String({ description: 'What was found, in words.' }),
  },
  { additionalProperties: false },
)
export type RiskNote = Static<typeof RiskNote>

/** Lines of code that support a statement of the docs, named by the agent and verified by the server. */
export const CodeReference = Type.Object(
  {
    claim: Type.String({ description: "What the docs say, in the agent's words." }),
    repository: Type.String({ description: 'Name of the code repository.' }),
    commit: Type.String({ description: 'At which the lines were found.' }),
    path: Type.String({ description: 'File below the root of the repository.' }),
    firstLine: Type.Integer({ minimum: 1 }),
    lastLine: Type.Integer({ minimum: 1 }),
    quote: Type.Optional(
      Type.String({
        description:
          'Code that stands in these lines. Its presence, and that it holds a word of the claim, is all that was checked. Not told of older jobs.',
      }),
    ),
    link: Nullable(Type.String({ description: 'The lines at the forge, when it is a known one.' })),
  },
  { additionalProperties: false },
)
export type CodeReference = Static<typeof CodeReference>

/** Coverage of a check beside the site itself. */
export interface ChangeChecks {
  /** Null when there was no prose to check. */
  prose: ProseCoverage | null
  /** Null when link checks are not enabled for the project. */
  links: CheckedAddresses | null
}

export interface ProseCoverage {
  /** Number of rules of the docs folder that were applied to changed pages. */
  rules: number
  /** Rules, and parts of rules, that could not be applied. */
  undone: readonly string[]
  /** Number of names whose spelling was checked. */
  names: number
  /** Whether all changed pages were read to their end. */
  isWhole: boolean
}

/** A URL of another site that a change adds, with its position. */
export interface NewAddress {
  url: string
  file: string
  line: number
}

export interface CheckedAddresses {
  /** Number of URLs that returned a page. */
  good: number
  /** URLs for which the other site reports that there is no page. */
  dead: readonly (NewAddress & { status: number })[]
  /** URLs without a clear result, with the reason in words. */
  unsure: readonly { url: string; why: string }[]
  /** Number of URLs beyond the limit of one check. */
  left: number
}
