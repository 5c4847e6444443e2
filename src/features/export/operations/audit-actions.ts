export const EXPORT_ACTIONS = {
  'static_export.cancelled': 'cancelled the export of {}',
  'static_export.completed': 'completed the export of {}',
  'static_export.failed': 'recorded that the export of {} failed',
  'static_export.link_made': 'created a download link for the export of {}',
  'static_export.started': 'started an export of {}',
} as const
