/** Services that an agent job can wait for, by the names used in `waiting` events. */
export const OUTSIDE = {
  model: 'the AI model',
  forge: 'the forge',
  repository: 'the repository',
  person: 'an answer',
} as const
export type Outside = (typeof OUTSIDE)[keyof typeof OUTSIDE]
