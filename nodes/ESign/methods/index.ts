import * as listSearch from './listSearch';
import * as loadOptions from './loadOptions';
import * as resourceMapping from './resourceMapping';

/** What fills the lists of the form, by n8n's kind of list. */
export const methods = { listSearch, loadOptions, resourceMapping };
