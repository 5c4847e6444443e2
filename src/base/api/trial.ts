/** API result of testing settings before they are saved. */
import { type Static, Type } from 'typebox'
import { TEST_RESULTS } from '../errors/catalogue.ts'

export type TrialCode = keyof typeof TEST_RESULTS

const FINDING = {
  code: Type.Enum(Object.keys(TEST_RESULTS) as TrialCode[], { description: 'Kind of the result.' }),
  sentence: Type.String({ description: 'What the test found, in English.' }),
}
const CLOSED = { additionalProperties: false }

export const TrialFinding = Type.Object(FINDING, CLOSED)
export type TrialFinding = Static<typeof TrialFinding>

export const FailedTrial = Type.Object({ ...FINDING, remedy: Type.String() }, CLOSED)
