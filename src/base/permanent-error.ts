/** A failure that trying again will not mend. Its message is a sentence for the person who asked for the work. */
export class PermanentError extends Error {
  override name = 'PermanentError'
}
