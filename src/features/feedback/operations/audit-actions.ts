export const FEEDBACK_ACTIONS = {
  'feedback.assigned': 'changed the assignee or the labels of feedback',
  'feedback.deleted': 'deleted feedback in {}',
  'feedback.imported': 'imported feedback into {}',
  'feedback.updated': 'updated feedback {}',
  'feedback_label.created': 'created label {}',
  'feedback_label.deleted': 'deleted label {}',
  'feedback_label.updated': 'changed label {}',
  'feedback_view.created': 'saved view {}',
  'feedback_view.deleted': 'deleted view {}',
  'feedback_view.updated': 'changed view {}',
} as const
