#pragma once

#include <vector>

#include "model/document.hpp"
#include "report/view.hpp"

namespace ringside {

// Every row with all its numbers.
TitledGrid row_table(const Document& document);

// What a page folds below the times of a Document: its row_table(), and what is paid once.
void add_all_numbers(const Document& document, std::vector<Section>& sections);

}  // namespace ringside
