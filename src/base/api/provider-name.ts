/** What the button for single sign-on says where nobody has named it. */
export const USUAL_PROVIDER_NAME = 'Single sign-on'
