/** Default label of the single sign-on button. */
export const DEFAULT_PROVIDER_NAME = 'Single sign-on'
