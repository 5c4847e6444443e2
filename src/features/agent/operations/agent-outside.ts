/** What an agent job waits for while it is away, as its `waiting` events name it. */
export const OUTSIDE = {
  model: 'the AI model',
  forge: 'the forge',
  repository: 'the repository',
  person: 'an answer',
} as const
export type Outside = (typeof OUTSIDE)[keyof typeof OUTSIDE]
