/** The agent's tools, in the order of their descriptions for the model. */
export const TOOL_NAMES = [
  'plan',
  'read_guide',
  'list_files',
  'read_file',
  'search',
  'read_api',
  'list_code',
  'search_code',
  'read_code',
  'outline_code',
  'diff_code',
  'fetch_page',
  'place_picture',
  'edit_file',
  'write_file',
  'move_file',
  'delete_file',
  'update_navigation',
  'check',
  'preview',
  'ask_person',
  'finish',
] as const

export type ToolName = (typeof TOOL_NAMES)[number]
