/** Default label of the single sign-on button. */
export const USUAL_PROVIDER_NAME = 'Single sign-on'
