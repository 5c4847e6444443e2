/** Ends a turn: the message is for whoever asked for the work, in words of documentation, not of machines. */
export class JobFailure extends Error {
  override name = 'JobFailure'
}
