/** Models that accept images according to their providers, by prefix of the name. */
const IMAGE_MODEL_PREFIXES = [
  'anthropic:claude',
  'google:gemini',
  'openai:gpt-4o',
  'openai:gpt-4.1',
  'openai:gpt-5',
  'openai:o3',
  'openai:o4',
]

/** Returns whether a model accepts images. `others` is the operator's setting for unknown models. */
export function acceptsImages(name: string, others: boolean): boolean {
  return (
    IMAGE_MODEL_PREFIXES.some((beginning) => name.startsWith(beginning)) ||
    (others && name.startsWith('openai-compatible:'))
  )
}
