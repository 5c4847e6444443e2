-- Nothing takes places of several windows in one statement any more.
DROP FUNCTION take_places_if_free(text, integer, integer, integer, boolean);
