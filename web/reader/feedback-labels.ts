/** UI strings of the feedback widgets in the language of the page, from an element at its end. */

export interface FeedbackLabels {
  helped: string
  missed: string
  /** Submitted values with their labels. */
  yes: [value: string, label: string][]
  no: [value: string, label: string][]
  comment: string
  email: string
  emailFault: string
  send: string
  cancel: string
  thanks: string
  undo: string
  undone: string
  more: string
  left: string
  dropped: string
  stored: string
  save: string
  code: string
  codeComment: string
  codeEmpty: string
}

export function readLabels(toolbar: HTMLElement): FeedbackLabels {
  return JSON.parse(toolbar.dataset.labels ?? '{}') as FeedbackLabels
}
