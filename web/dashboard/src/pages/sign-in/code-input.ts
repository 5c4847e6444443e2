/** Attributes of the field for a code of the authenticator app. */
export const CODE_INPUT = {
  required: true,
  autoFocus: true,
  inputMode: 'numeric',
  autocomplete: 'one-time-code',
  maxLength: 6,
  class: 'h-11 text-center text-20 tracking-[0.4em]',
}
